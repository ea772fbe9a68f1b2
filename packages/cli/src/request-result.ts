import { NotProcessed, type ApiClient, type Json } from './api-client.ts';
import type { Invocation } from './invocation.ts';
import { plain } from './output/text.ts';
import { EXIT, CliError } from './cli-error.ts';

/** The result of an accepted request (part 1, 2.3). */
interface RequestResult {
  readonly requestId: string;
  readonly success: boolean;
  readonly action: string;
  readonly status: string;
  readonly alertId: string;
  readonly alias: string;
}

/**
 * Waits until an accepted request is settled, prints its result, and fails where it failed. The API itself waits up to
 * two seconds before it answers that a request is not settled yet (A8), so it is asked again at once.
 *
 * @throws CliError: failed with the status that says why, unsettled when the time of the command ends first.
 */
export async function printRequestResult(invocation: Invocation, api: ApiClient, accepted: Json): Promise<void> {
  const requestId = String(accepted['requestId']);
  const settled = await awaited(invocation, api, requestId);
  if (settled.success || invocation.json) invocation.print(settled, () => resultText(settled));
  if (!settled.success) throw new CliError(EXIT.failed, settled.status, [`request ${requestId}`]);
}

function resultText({ status, alertId, alias }: RequestResult): string {
  if (alertId === '') return plain(status);
  return plain(alias === alertId ? `${status} ${alertId}` : `${status} ${alertId}, alias ${alias}`);
}

async function awaited(invocation: Invocation, api: ApiClient, requestId: string): Promise<RequestResult> {
  for (;;) {
    try {
      invocation.progress(`Accepted, request ${requestId}; waiting until it is settled`);
      const settled = await api.read<Omit<RequestResult, 'requestId'>>(`/v2/alerts/requests/${requestId}`);
      return { requestId, ...settled };
    } catch (error) {
      if (error instanceof NotProcessed) continue;
      throw error instanceof CliError ? notKnown(error, requestId) : error;
    }
  }
}

/** The alert changes all the same when the wait for it ends. */
function notKnown({ exitCode, message, details }: CliError, requestId: string): CliError {
  const code = exitCode === EXIT.interrupted ? exitCode : EXIT.unsettled;
  const accepted = `request ${requestId} was accepted; what became of it is not known yet`;
  return new CliError(code, message, [...details, accepted]);
}
