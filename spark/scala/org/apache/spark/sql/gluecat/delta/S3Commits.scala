package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.{SparkConf, SparkEnv}

import io.github.sdaberdaku.gluecat.S3LogStore

/** Lets several drivers commit to one table on S3: sees to it that Delta writes its logs there with [[S3LogStore]]. */
private[delta] object S3Commits {

  private val schemes = Seq("s3", "s3a")
  private val oneForAllSchemes = "spark.delta.logStore.class"

  /**
   * Delta asks the configuration of the process, once for each log that it opens. So it is set there, for every scheme for
   * which the user has chosen nothing, and logs that were opened before are forgotten.
   */
  def install(): Unit = {
    val conf = SparkEnv.get.conf
    val free = schemes.map(scheme => s"spark.delta.logStore.$scheme.impl").filterNot(isSet(conf, _))
    // Delta refuses a configuration that has both kinds.
    if (free.nonEmpty && !isSet(conf, oneForAllSchemes)) {
      free.foreach(conf.set(_, classOf[S3LogStore].getName))
      DeltaLog.clearCache()
    }
  }

  /** Delta takes its keys without their prefix too. */
  private def isSet(conf: SparkConf, key: String): Boolean =
    conf.contains(key) || conf.contains(key.stripPrefix("spark."))
}
