package org.apache.spark.sql.gluecat

import org.apache.spark.sql.connector.catalog.CatalogManager
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.internal.StaticSQLConf.CATALOG_IMPLEMENTATION

import io.github.sdaberdaku.gluecat.{Failure, InvalidRequestException}

/** What a session must be like for a catalog to work in it. */
object SessionRequirements {

  def check(catalog: String): Unit = {
    val implementation =
      Session.active.sparkContext.conf.get(CATALOG_IMPLEMENTATION.key, "in-memory")
    if (catalog == CatalogManager.SESSION_CATALOG_NAME && implementation != "in-memory") {
      throw new InvalidRequestException(
        Failure.of(
          "invalid_argument",
          s"catalog '$catalog': gluecat as $catalog needs ${CATALOG_IMPLEMENTATION.key}=in-memory, it is " +
            s"'$implementation': temporary views and functions would go to a Hive metastore"
        )
      )
    }
  }
}
