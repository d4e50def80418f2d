package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path

private[delta] object Locations {

  /** s3, s3a and s3n name the same store, and so do file:/ and a bare path. */
  def same(one: String, other: String): Boolean = comparable(one) == comparable(other)

  private def comparable(location: String): String = {
    val uri = new Path(location).toUri
    val scheme = Option(uri.getScheme).getOrElse("file") match {
      case "s3a" | "s3n" => "s3"
      case scheme        => scheme
    }
    s"$scheme://${Option(uri.getAuthority).getOrElse("")}${uri.getPath.stripSuffix("/")}"
  }
}
