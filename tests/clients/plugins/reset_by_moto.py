"""pytest plugin for moto's own tests in server mode: each of them begins with an empty store of ours.

moto's server empties itself under an address of its own; ours has `POST /reset`.
"""

import os
import urllib.request

from moto.core.models import ServerModeMockAWS


def reset(self) -> None:
    request = urllib.request.Request(os.environ["TEST_SERVER_MODE_ENDPOINT"] + "/reset", method="POST")
    urllib.request.urlopen(request, timeout=30).close()


ServerModeMockAWS.reset = reset
