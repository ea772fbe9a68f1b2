import { Username } from '@tocsin/api';
import { systemClock } from '@tocsin/core';
import { InternalClient, PrincipalSigner } from '@tocsin/http';
import { z } from 'zod';

// The command in the image of this service, and behind `npm run sign-in`: it asks the service that runs beside it for a code (K23).

const HELP = `A code to sign in, for a user who gets no mail: it can be redeemed once, within 10 minutes, in any browser.

  npm run sign-in -- owner@example.com                                                       of npm start
  docker compose -f deploy/compose.yaml exec directory node dist/sign-in.js owner@example.com
  kubectl exec deploy/tocsin-directory -- node dist/sign-in.js owner@example.com

It prints the code alone on standard output, and the rest on standard error.
Exit codes: 0 with a code, 1 where there is no such user or they are blocked, 2 for an unknown command, 3 where directory
does not answer.`;

const Environment = z.object({
  PORT: z.coerce.number().int().default(3_000),
  INTERNAL_SIGNING_KEY: z
    .string('is needed: run the command where directory runs')
    .transform((keys) => keys.split(',').map((key) => key.trim())),
});
const Answer = z.object({ data: z.object({ code: z.string(), expiresAt: z.iso.datetime() }) });

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<0 | 1 | 2 | 3> {
  const [given = 'help', ...others] = args;
  if (others.length === 0 && /^(?:-h|--help|help)$/.test(given)) {
    process.stdout.write(`${HELP}\n`);
    return args.length === 0 ? 2 : 0;
  }
  const username = Username.safeParse(given);
  if (others.length > 0 || !username.success) {
    complain('Give the user name of one user, such as owner@example.com; help says more.');
    return 2;
  }
  try {
    return await printCode(username.data);
  } catch (error) {
    complain(`Directory gives no code: ${reasonOf(error)}.`);
    return 3;
  }
}

async function printCode(username: string): Promise<0 | 1> {
  const { INTERNAL_SIGNING_KEY: signingKeys, PORT } = Environment.parse(process.env);
  const client = new InternalClient({
    baseUrl: `http://127.0.0.1:${PORT}`,
    signer: new PrincipalSigner(signingKeys),
    // This is not a service. It signs as the gateway, because callers have to be services.
    caller: 'gateway',
    audience: 'directory',
    clock: systemClock,
    timeoutMs: 10_000,
  });
  try {
    const { body, status } = await client.post('/internal/sign-ins', { username });
    if (status === 404) {
      complain(String(body['message']));
      return 1;
    }
    const { code, expiresAt } = Answer.parse(body).data;
    complain(`Of use until ${expiresAt}, once, where the console asks for the code of a mail:`);
    process.stdout.write(`${code}\n`);
    return 0;
  } finally {
    await client.close();
  }
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ message, path }) => `${path.join('.')} ${message}`).join(', ');
  let reason = error;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}
