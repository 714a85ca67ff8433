"""Send scores to a learning platform: LTI 1.3, Assignment and Grade Services 2.0.

Sources: 1EdTech, "LTI Assignment and Grade Services 2.0", "LTI Names and Role Provisioning
Services 2.0" and "Security Framework 1.0".
"""
