"""`client.credentials-provider`: a class of the AWS SDK v2 that a user brings along, seen from the Glue server."""

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from harness import distribution, session
from harness.sql_program import run

SOURCES = {
    # What the SDK's own and other people's providers look like: an interface of the SDK, a factory with options.
    "example.VaultProvider": """
        package example;

        import java.time.Instant;
        import java.util.Map;
        import software.amazon.awssdk.auth.credentials.*;

        public final class VaultProvider implements AwsCredentialsProvider {
          private final String accountKey;
          private int asked;

          private VaultProvider(String accountKey) { this.accountKey = accountKey; }

          public static VaultProvider create(Map<String, String> options) {
            return new VaultProvider(options.get("accountKey"));
          }

          @Override public AwsCredentials resolveCredentials() {
            if (++asked > 1) throw new IllegalStateException("asked for credentials that are good for an hour");
            return AwsSessionCredentials.builder().accessKeyId(accountKey).secretAccessKey("vault-secret")
                .sessionToken("vault-token").expirationTime(Instant.now().plusSeconds(3600)).build();
          }
        }""",
    "example.StaticProvider": """
        package example;

        import software.amazon.awssdk.auth.credentials.*;

        public final class StaticProvider {
          public static AwsCredentialsProvider create() {
            return StaticCredentialsProvider.create(AwsBasicCredentials.create("222222222222", "static-secret"));
          }
        }""",
    "example.SealedProvider": """
        package example;

        import software.amazon.awssdk.auth.credentials.*;

        public final class SealedProvider implements AwsCredentialsProvider {
          @Override public AwsCredentials resolveCredentials() { throw new IllegalStateException("the vault is sealed"); }
        }""",
}

ROLE = "arn:aws:iam::333333333333:role/not-assumed"


@pytest.fixture(scope="module")
def provider_jars(tmp_path_factory) -> list[Path]:
    """The providers, and the SDK that they need: as a user would give them with --jars."""
    sdk = [jar for jar in distribution.s3a_jars("4.1") if "awssdk" in jar.parts or "reactivestreams" in jar.parts]
    folder = tmp_path_factory.mktemp("providers")
    files = []
    for name, source in SOURCES.items():
        files.append(folder / f"{name.split('.')[-1]}.java")
        files[-1].write_text(source)
    subprocess.run([Path(os.environ["JAVA_HOME"]) / "bin" / "javac", "-nowarn", "-proc:none", "--release", "8", "-cp",
                    ":".join(map(str, sdk)), "-d", folder / "classes", *files], check=True, capture_output=True)
    jar = folder / "providers.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in (folder / "classes").rglob("*.class"):
            archive.write(file, file.relative_to(folder / "classes"))
    return [jar, *sdk]


STATEMENTS = [
    "SHOW DATABASES IN vault", "SHOW DATABASES IN vault", "SHOW DATABASES IN fixed", "SHOW DATABASES IN sealed",
    "SHOW DATABASES IN absent", "SHOW DATABASES IN useless",
]


@pytest.fixture(scope="module")
def outcome(server, jars, provider_jars, tmp_path_factory):
    """The answers of one program, and what the server saw meanwhile."""
    for account in ("111111111111", "222222222222"):
        server.client(account).create_database(DatabaseInput={"Name": f"provided_{account[:3]}"})

    def glue(name, provider, **more):
        return session.catalog_conf(name, glue__endpoint=server.endpoint, client__region=session.REGION,
                                    client__credentials_provider=provider, **more)

    conf = {
        **session.base_conf([*jars, *provider_jars], tmp_path_factory.mktemp("provider") / "warehouse"),
        # A provider class goes before a role.
        **glue("vault", "example.VaultProvider", client__assume_role__arn=ROLE),
        "spark.sql.catalog.vault.client.credentials-provider.accountKey": "111111111111",
        **glue("fixed", "example.StaticProvider"),
        **glue("sealed", "example.SealedProvider", glue__id="111111111111"),
        **glue("absent", "example.AbsentProvider"),
        **glue("useless", "java.lang.String"),
    }
    with server.requests() as seen:
        answers = run(conf, STATEMENTS, {"AWS_ACCESS_KEY_ID": "999999999999", "AWS_SECRET_ACCESS_KEY": "s"}, timeout=600)
    return list(zip(STATEMENTS, answers)), seen


def test_each_catalog_is_signed_for_with_what_its_class_gives(outcome):
    answers, seen = outcome
    databases = [{row[0] for row in answer["rows"]} for _, answer in answers[:3]]
    assert "provided_111" in databases[0] and "provided_222" not in databases[0]
    assert databases[1] == databases[0]
    assert "provided_222" in databases[2] and "provided_111" not in databases[2]
    assert {r.access_key for r in seen.requests} == {"111111111111", "222222222222"}


@pytest.mark.parametrize("catalog, mentions", [
    ("sealed", ("(glue.id 111111111111)", "example.SealedProvider", "the vault is sealed")),
    ("absent", ("example.AbsentProvider", "not on the class path")),
    ("useless", ("java.lang.String", "not an AwsCredentialsProvider")),
])
def test_a_class_that_gives_nothing_says_why(outcome, catalog, mentions):
    error = dict(outcome[0])[f"SHOW DATABASES IN {catalog}"]["error"]
    for mention in (f"catalog '{catalog}'", "client.credentials-provider", *mentions):
        assert mention in error, error
