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
          "starts (--packages or --jars, not ADD JAR); if it was there, the driver log says why " +
          s"${classOf[GlueCatalogExtensions].getName} failed, and adding that name to spark.sql.extensions shows it")
    }
  }
}
