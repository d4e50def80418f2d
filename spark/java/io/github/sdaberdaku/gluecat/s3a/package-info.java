/**
 * S3A under the identity of the catalog a location belongs to.
 *
 * <p>Hadoop keeps one file system for each bucket and process, whatever its configuration: the first to reach a bucket
 * decides as whom everybody does. {@link BucketIdentities} knows in the driver which catalogs use which bucket. While
 * one identity uses it, Hadoop's way is right and is only told which one; as soon as a second one does,
 * {@link IdentityFileSystem} takes S3A's place and finds the identity by the location. {@link Routes} is what travels
 * between the two in Hadoop configurations, from the driver to every task.
 *
 * <p>{@link ExclusiveCreate} creates objects by conditional PUT, under those same identities.
 *
 * <p>Nothing here knows Spark or Glue. Without hadoop-aws nothing of it is used.
 */
package io.github.sdaberdaku.gluecat.s3a;
