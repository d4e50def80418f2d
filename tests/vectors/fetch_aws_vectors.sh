#!/usr/bin/env bash
# Fetches the test vectors that AWS publishes and that our tests read, once per machine, and prints
# the folder they are in. A second run needs no network.
#
#   sigv4/<case>/…                 Signature Version 4, 40 cases      (crate aws-sigv4)
#   profile/*.json                 profile files: 65 + 9 cases        (crate aws-runtime)
#   clock-skew-test-cases.json     clock skew correction              (crate aws-runtime)
#   endpoints/{glue,sts}.json      endpoints: 47 + 69 cases           (sdist of botocore)
#   protocol/{input,output}.json   JSON 1.1: 54 + 58 cases            (sdist of botocore)
#
# Environment: GLUECAT_CACHE (default ~/.cache/gluecat), PYTHON (default python3).
set -euo pipefail

cache=${GLUECAT_CACHE:-$HOME/.cache/gluecat}/vectors
target=$cache/aws
pins='aws-sigv4 1.6.4 f385da9b7757ed4c8214797ad663ff534fb622006143530aa80e21f8e06ff85c
aws-runtime 1.10.2 9a0cc2144962cc5e358467b16e3d82981b1d424a7c3d34602be0036103814a1a
botocore 1.43.11 d7d479cc2809ec2728f2898521003adfb79bfe6a4615c59dfd222ec52b0cee6b'

die() { echo "aws vectors: $*" >&2; exit 1; }
pin() { awk -v name="$1" -v field="$2" '$1 == name { print $field }' <<<"$pins"; }

if [[ -f $target/pins && $(<"$target/pins") == "$pins" ]]; then
  echo "$target"
  exit 0
fi

mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9
work=$(mktemp -d "$cache/.aws.XXXXXX")
trap 'rm -rf "$work"' EXIT

# crate <name>: unpacks the pinned crate into $work/<name>. `cargo info` downloads one crate and
# nothing that it depends on; it looks at the manifest of the folder it runs in, so it runs in /.
crate() {
  local version file
  version=$(pin "$1" 2)
  find_crate() {
    find "${CARGO_HOME:-$HOME/.cargo}/registry/cache" -name "$1-$version.crate" 2>/dev/null | head -n 1
  }
  file=$(find_crate "$1")
  if [[ -z $file ]]; then
    command -v cargo >/dev/null || die "cargo is missing"
    (cd / && cargo info --quiet "$1@$version" >/dev/null 2>&1) || die "cannot fetch $1 $version"
    file=$(find_crate "$1")
  fi
  [[ -n $file ]] || die "$1 $version is not where cargo puts it"
  echo "$(pin "$1" 3)  $file" | sha256sum --check --status || die "$1 $version is not the pinned one"
  mkdir "$work/$1"
  tar -xzf "$file" -C "$work/$1" --strip-components=1
}

crate aws-sigv4
crate aws-runtime
echo "botocore==$(pin botocore 2) --hash=sha256:$(pin botocore 3)" >"$work/requirements"
"${PYTHON:-python3}" -m pip download --quiet --disable-pip-version-check --no-deps \
  --no-binary botocore --require-hashes -r "$work/requirements" -d "$work" >&2 ||
  die "cannot fetch botocore $(pin botocore 2)"
mkdir "$work/botocore"
tar -xzf "$work"/botocore-*.tar.gz -C "$work/botocore" --strip-components=1

ready=$work/ready
mkdir -p "$ready/profile" "$ready/endpoints" "$ready/protocol"
cp -r "$work/aws-sigv4/aws-signing-test-suite/v4" "$ready/sigv4"
cp "$work/aws-runtime/test-data/"{profile-parser,file-location}-tests.json "$ready/profile/"
cp "$work/aws-runtime/test-data/clock-skew-test-cases.json" "$ready/"
for service in glue sts; do
  cp "$work/botocore/tests/functional/endpoint-rules/$service/endpoint-tests-1.json" "$ready/endpoints/$service.json"
done
for side in input output; do
  cp "$work/botocore/tests/unit/protocols/$side/json.json" "$ready/protocol/$side.json"
done
echo "$pins" >"$ready/pins"
rm -rf "$target"
mv "$ready" "$target"
echo "$target"
