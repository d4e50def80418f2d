package io.github.sdaberdaku.gluecat.s3a;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/** {@link IdentityFileSystem} for Hadoop's other interface, FileContext, which Delta and streams use. */
public class IdentityAbstractFileSystem extends DelegateToFileSystem {

  public IdentityAbstractFileSystem(URI uri, Configuration conf)
      throws IOException, URISyntaxException {
    super(uri, new IdentityFileSystem(), conf, uri.getScheme(), false);
  }
}
