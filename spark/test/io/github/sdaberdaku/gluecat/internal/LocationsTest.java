package io.github.sdaberdaku.gluecat.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocationsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://bucket/db/t/day=2026-01-01/hour=5",
        "s3a://my.bucket-1/a/b_c/d.e",
        "s3://bucket/",
        "s3://bucket",
        "s3://bucket//a//b/",
        "s3://bucket/a/./b",
        "s3://bucket/a/../b",
        "s3://bucket/.hidden",
        "s3://bucket/a/...",
        "s3://my_bucket/a",
        "s3://bucket-/a",
        "s3://bucket./a",
        "s3://-bucket/a",
        "S3://Bucket/A",
        "s3://bucket:80/a",
        "s3://user:secret@bucket/a",
        "s3://bucket/a b",
        "s3://bucket/a%20b",
        "s3://bucket/k=a%3Ab",
        "s3://bucket/k=a:b",
        "s3://bucket/k=ü",
        "s3://bucket/k={x}",
        "s3://bucket/k=a?b#c",
        "s3://bucket/a\\b",
        "s3-x://bucket/a",
        "3s://bucket/a",
        "file:/tmp/t/k=1",
        "file:///tmp/t/k=1",
        "hdfs://host:8020/a/b",
        "/a/b",
        "a/b",
        "://b/c",
        "s3:///a",
      })
  void isThePathThatHadoopMakes(String location) {
    Path expected;
    try {
      expected = new Path(location);
    } catch (IllegalArgumentException refused) {
      assertThrows(IllegalArgumentException.class, () -> Locations.path(location));
      return;
    }
    Path found = Locations.path(location);
    assertEquals(expected, found);
    assertEquals(expected.toString(), found.toString());
    assertEquals(expected.toUri().toString(), found.toUri().toString());
    assertEquals(expected.toUri().getHost(), found.toUri().getHost());
    assertEquals(expected.toUri().getRawPath(), found.toUri().getRawPath());
  }

  @Test
  void refusesNoLocation() {
    assertThrows(IllegalArgumentException.class, () -> Locations.path(""));
  }
}
