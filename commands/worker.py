"""`queenline worker`: sends texts. Any number of these may run."""

import click

from commands.metrics import counted_together, shown


@click.command()
@click.option("--sweep-only", is_flag=True, help="Look into the database every few seconds, and never listen to Redis.")
def command(sweep_only: bool) -> None:
    """Send what is due, until SIGTERM. Settings come from the environment (docs/settings.md)."""
    with counted_together():
        from commands.start import prepared
        from service.twilio.outbound import TwilioSender
        from workers.main import LISTEN, Worker

        services = prepared()
        with shown(services.settings.worker_metrics):
            Worker(services, TwilioSender(services.settings), listen=None if sweep_only else LISTEN).run()
