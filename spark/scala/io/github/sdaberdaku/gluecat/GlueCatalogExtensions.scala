package io.github.sdaberdaku.gluecat

import org.apache.spark.sql.gluecat.files.FileTableRules
import org.apache.spark.sql.gluecat.shim.{ListingStatements, Session}
import org.apache.spark.sql.gluecat.{CommandRule, DeltaTables, GlueParser, NameMissingObjects}
import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

/** gluecat's rules. Spark finds this class through ServiceLoader: nothing is to be configured. */
class GlueCatalogExtensions extends SparkSessionExtensionsProvider {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    DeltaTables.available.foreach(_.injectRules(extensions))
    FileTableRules.inject(extensions)
    ListingStatements.inject(extensions)
    extensions.injectParser((session, delegate) =>
      new GlueParser(session.asInstanceOf[Session], delegate)
    )
    extensions.injectPostHocResolutionRule(session =>
      NameMissingObjects(session.asInstanceOf[Session])
    )
    extensions.injectColumnar(_ => CommandRule)
  }
}
