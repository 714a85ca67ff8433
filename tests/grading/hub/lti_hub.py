"""A real JupyterHub for tests: people come from a platform; it starts no servers and no proxy.

HUB_SETTINGS='{"platform": "http://…", …}' python -m jupyterhub -f tests/grading/hub/lti_hub.py
"""

import json
import os

from jupyterhub.proxy import Proxy

from headway.grading.hub.lti import PlatformLogin

given = json.loads(os.environ["HUB_SETTINGS"])


class NoProxy(Proxy):
    """Browsers go to the hub itself."""

    should_start = False

    async def add_route(self, routespec, target, data):
        pass

    async def delete_route(self, routespec):
        pass

    async def get_all_routes(self):
        return {}


class Login(PlatformLogin):
    """With accounts that are there in name only."""

    def is_taken(self, name):
        return name in given["accounts"]

    def system_user_exists(self, user):
        return True


c = get_config()  # noqa: F821 - JupyterHub's
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.hub_port = given["port"]
c.JupyterHub.hub_ip = "127.0.0.1"
c.JupyterHub.bind_url = f"http://127.0.0.1:{given['port'] + 1}"
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.cookie_secret_file = f"{given['folder']}/state/cookie_secret"
c.JupyterHub.authenticator_class = PlatformLogin if given["real"] else Login
c.PlatformLogin.create_system_users = True
c.Authenticator.allow_all = True
c.PlatformLogin.issuer = given["platform"]
c.PlatformLogin.client_id = {"client-1"}
c.PlatformLogin.deployments = {"deployment-1"}
c.PlatformLogin.courses = {"course-7"}
c.PlatformLogin.authorize_url = given["platform"] + "/authorize"
c.PlatformLogin.jwks_endpoint = given["platform"] + "/jwks"
c.PlatformLogin.folder = given["folder"]
c.PlatformLogin.reader = given["reader"]
c.PlatformLogin.people = {"u-teacher": "teacher"}
