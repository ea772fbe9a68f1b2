import { lookUpsApart, OutgoingCaller } from '@tocsin/http';
import type { Connection } from '@tocsin/mongo';
import type { ServiceContext } from '@tocsin/service';
import type { SlackSocketApp } from './chat/slack-sockets/app.ts';
import { SlackSocketClient } from './chat/slack-sockets/client.ts';
import { SlackSocket } from './chat/slack-sockets/connection.ts';
import { TakeEnvelopes, type TakeEnvelopesPorts } from './chat/slack-sockets/operations.ts';
import { SocketFailures, SocketLeases } from './chat/slack-sockets/store.ts';
import { addSocketTask, HoldSockets, type HoldSocketsPorts } from './chat/slack-sockets/task.ts';
import type { Config } from './config.ts';
import { workLeases } from './compose-leases.ts';

interface SlackSocketParts
  extends
    Pick<HoldSocketsPorts, 'settings' | 'accounts' | 'integrations'>,
    Pick<TakeEnvelopesPorts, 'buttons' | 'commands'> {
  readonly connection: Connection;
}

/** Holds the connections to Slack of integrations with an app-level token until the stop. */
export async function openSlackSockets(
  context: ServiceContext<Config>,
  { buttons, commands, connection, ...parts }: SlackSocketParts,
): Promise<void> {
  const { clock, config, lifecycle, logger, metrics } = context;
  const outgoing = new OutgoingCaller({ allowedRanges: config.webhookAllowedRanges, resolve: lookUpsApart() });
  const client = new SlackSocketClient(outgoing);
  const failures = new SocketFailures(connection);
  const envelopes = new TakeEnvelopes({
    buttons,
    commands,
    onCallback: (outcome) => {
      metrics.callback(outcome);
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'What Slack reported by a connection could not be taken.');
    },
  });
  const open = (app: SlackSocketApp): SlackSocket => {
    const socket: SlackSocket = new SlackSocket(app, {
      client,
      envelopes,
      onState: async (failure) => {
        const { integrationIds } = socket.app;
        if (failure === undefined) {
          logger.info({ integrationIds }, 'the connection to Slack is open');
          await failures.forget([socket.app]);
        } else {
          logger.warn(
            { integrationIds, reason: failure },
            'The connection to Slack cannot be opened; it is tried again.',
          );
          await failures.note(socket.app, failure, clock.now());
        }
      },
    });
    return socket;
  };
  const leases = new SocketLeases(workLeases(connection, 'slack-sockets'));
  const holding = new HoldSockets({ ...parts, leases, failures, open, clock });
  await lifecycle.startWork(
    'connections to Slack',
    () => Promise.resolve(holding),
    () => holding.stop(),
  );
  addSocketTask(context, { holding, integrations: parts.integrations });
}
