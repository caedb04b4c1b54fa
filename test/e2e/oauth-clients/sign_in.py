"""Signs a machine in with requests-oauthlib: sign_in.py URL CLIENT_ID SECRET basic|form. Prints the status of a poll."""

import sys

from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests_oauthlib import OAuth2Session

url, client_id, secret, place = sys.argv[1:]
session = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
try:
    session.fetch_token(f"{url}/token", client_secret=secret, client_id=client_id, include_client_id=place == "form")
except OAuth2Error as error:
    sys.exit(f"{error.error} {error.status_code}")
print(session.post(f"{url}/multipleDataTsdb", json={"ids": []}).status_code)
