"""Signs in to the demo plant with the client that openapi-python-client generated, and prints its variables, readings and panel.

Arguments: the address of the service. The folder of the package caudal_client is on the PYTHONPATH.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

from caudal_client import AuthenticatedClient, Client
from caudal_client.api.panel import get_panel
from caudal_client.api.readings import read_histories, read_variables
from caudal_client.api.sign_in import sign_in
from caudal_client.api.variables import list_variables
from caudal_client.models import (
    Credentials,
    HistoryAnswer,
    HistoryRequest,
    ReadingsAnswer,
    ReadRequest,
    Session,
    ShownPanelAnswer,
    VariableListing,
)

base_url = sys.argv[1]


def answer(value, kind):
    """Returns the answer with status 200. Any other answer is an error."""
    if not isinstance(value, kind):
        raise SystemExit(f"expected {kind.__name__}, got {value}")
    return value


credentials = Credentials(
    email="operator@plant-a.example", token_app="demo-a", schema_name="plant_a", tsdb_name="plant_a"
)
session = answer(sign_in.sync(client=Client(base_url=base_url), body=credentials), Session)
client = AuthenticatedClient(base_url=base_url, token=session.token, raise_on_unexpected_status=True)
variables = answer(list_variables.sync(client=client), VariableListing)
readings = answer(read_variables.sync(client=client, body=ReadRequest()), ReadingsAnswer)
start = (datetime.now(timezone.utc) - timedelta(hours=3)).isoformat()
request = HistoryRequest(ids=[variables.data[0].id], start=start)
history = answer(read_histories.sync(client=client, body=request), HistoryAnswer)
panel = answer(get_panel.sync(client=client), ShownPanelAnswer)

print(
    json.dumps(
        {
            "variables": variables.to_dict(),
            "readings": readings.to_dict(),
            "classes": [type(row).__name__ for row in [*variables.data, *readings.data]],
            "panel": panel.to_dict(),
            "history": len(history.to_dict()["data"]["bounds"]),
        }
    )
)
