"""JupyterHub's configuration of this classroom; yours to change, and never overwritten.

`headway hub DIR` starts the hub with it, and so does `jupyterhub -f DIR/jupyterhub_config.py`.
"""

from pathlib import Path

from headway.grading.hub.settings import configure

TEACHERS = {"NAME"}

c = get_config()
configure(c, Path(__file__).parent, TEACHERS)

# Where browsers find it. Others than this machine reach it once it says 0.0.0.0 here; then give it
# a certificate, too, or put it behind a server that has one.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# c.JupyterHub.ssl_key = "/etc/ssl/private/hub.key"
# c.JupyterHub.ssl_cert = "/etc/ssl/certs/hub.pem"

# What runs in a student's server can act in the browser of whoever opens a page there. Where the
# hub has a domain, give each server one of its own (and a certificate for *.hub.example.org):
# c.JupyterHub.subdomain_host = "https://hub.example.org"

# Who may come in: accounts of this machine, by their passwords (PAM).
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True
# Rather only some: c.Authenticator.allowed_users = TEACHERS | {"ada", "emmy"}
c.Authenticator.admin_users = TEACHERS

# The same accounts out of a directory (pip install jupyterhub-ldapauthenticator):
# c.JupyterHub.authenticator_class = "ldapauthenticator.LDAPAuthenticator"
# c.LDAPAuthenticator.server_address = "ldaps://ldap.example.org"
# c.LDAPAuthenticator.bind_dn_template = ["uid={username},ou=people,dc=example,dc=org"]

# Or a login elsewhere (pip install oauthenticator); accounts are made when they are needed:
# c.JupyterHub.authenticator_class = "generic-oauth"
# c.GenericOAuthenticator.client_id = "…"
# c.GenericOAuthenticator.client_secret = "…"
# c.GenericOAuthenticator.authorize_url = "https://login.example.org/authorize"
# c.GenericOAuthenticator.token_url = "https://login.example.org/token"
# c.GenericOAuthenticator.userdata_url = "https://login.example.org/userinfo"
# c.GenericOAuthenticator.username_claim = "preferred_username"
# c.LocalAuthenticator.create_system_users = True

# Or from a course of a learning platform, by LTI 1.3. The platform asks for the addresses
# https://hub.example.org/hub/lti13/oauth_login (login initiation) and
# https://hub.example.org/hub/lti13/oauth_callback (redirect), and tells what is "…" here.
# from headway.grading.hub.lti import PlatformLogin
# c.JupyterHub.authenticator_class = PlatformLogin
# c.PlatformLogin.issuer = "…"  # Canvas: https://canvas.instructure.com; Moodle: its address
# c.PlatformLogin.client_id = {"…"}
# c.PlatformLogin.deployments = {"…"}
# c.PlatformLogin.authorize_url = "…"  # Moodle: …/mod/lti/auth.php
# c.PlatformLogin.jwks_endpoint = "…"  # Moodle: …/mod/lti/certs.php
# c.PlatformLogin.folder = str(Path(__file__).parent)
# c.PlatformLogin.reader = "NAME"
# c.PlatformLogin.create_system_users = True  # an account for each, when they first come
# c.PlatformLogin.people = {"the platform's id of the teacher": "NAME"}  # the hub's log tells it
# c.PlatformLogin.courses = {"…"}  # only people of these; the log tells a course's id, too
# c.JupyterHub.tornado_settings = {"cookie_options": {"SameSite": "None", "Secure": True}}
