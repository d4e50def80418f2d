package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.gluecat.DelegatingParser

/** Spark 3.5 parses nothing else. */
trait VersionedParser extends DelegatingParser
