"""`queenline worker`: sends texts. Any number of these may run."""

import click


@click.command()
def command() -> None:
    """Send what is due, until SIGTERM. Settings come from the environment (docs/settings.md)."""
    from commands.start import prepared
    from service.twilio.outbound import TwilioSender
    from workers.main import Worker

    services = prepared()
    Worker(services, TwilioSender(services.settings)).run()
