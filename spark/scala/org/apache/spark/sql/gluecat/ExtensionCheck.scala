package org.apache.spark.sql.gluecat

import io.github.sdaberdaku.gluecat.GlueCatalogExtensions

/**
 * Whether our rules are part of the session. They come in through ServiceLoader when the session is made; Spark only
 * logs it when that fails, and a jar that is added later (ADD JAR) comes too late.
 */
object ExtensionCheck {

  def require(catalog: CatalogContext): Unit = {
    val active = catalog.session.sessionState.analyzer.postHocResolutionRules
      .exists(_.isInstanceOf[NameMissingObjects])
    if (!active) {
      Errors.refuse(
        catalog,
        "invalid_argument",
        "the session was made without gluecat's extension. Put the gluecat jar on the class path before the session " +
          "starts (--packages or --jars, not ADD JAR). PySpark 3.5 does not look for extensions by itself: add " +
          s"${classOf[GlueCatalogExtensions].getName} to spark.sql.extensions there. If it was found but failed, the " +
          "driver log says why"
      )
    }
  }
}
