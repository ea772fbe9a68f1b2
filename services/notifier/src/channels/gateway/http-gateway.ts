import type { OutgoingAnswer, OutgoingCaller, OutgoingRequest } from '@tocsin/http';
import type { SendResult } from '../../messages/attempts.ts';
import type { AttemptReference, Provider } from '../channel.ts';
import { refusal, unanswered, words, requestSecrets } from '../http/outgoing.ts';
import { contentType, MAX_ANSWER_TEXT, namesCallback, type GatewayTemplates } from './settings.ts';
import { filledTemplate, gatewayValues, inBody, inHeader, inUrl } from './template.ts';

interface Phoned {
  readonly to: string;
  readonly text: string;
}

/** Text messages or calls by any gateway that takes HTTP. */
export class HttpGateway implements Provider<Phoned> {
  readonly name = 'http';
  readonly sendsReceipts: boolean;
  readonly #gateway: GatewayTemplates;
  readonly #outgoing: OutgoingCaller;
  readonly #secrets: readonly string[];

  constructor(gateway: GatewayTemplates, outgoing: OutgoingCaller) {
    this.#gateway = gateway;
    this.sendsReceipts = namesCallback(gateway);
    this.#outgoing = outgoing;
    this.#secrets = secretsOf(gateway);
  }

  async send(message: Phoned, attempt: AttemptReference): Promise<SendResult> {
    const outcome = await this.#outgoing.call(this.#request(message, attempt));
    return outcome.kind === 'answered' ? this.#result(outcome) : unanswered(outcome);
  }

  #request(message: Phoned, attempt: AttemptReference): OutgoingRequest {
    const { body, headers, method, url } = this.#gateway;
    const values = gatewayValues(message, attempt);
    const named = Object.entries(headers).map(
      ([name, value]) => [name, filledTemplate(value, values, inHeader)] as const,
    );
    const type = contentType(this.#gateway);
    const content = { ...Object.fromEntries(named), ...(body !== undefined && { 'content-type': type }) };
    const filled = body === undefined ? undefined : filledTemplate(body, values, inBody(type));
    return {
      method,
      url: filledTemplate(url, values, inUrl),
      headers: content,
      ...(filled !== undefined && { body: filled }),
    };
  }

  /** A successful answer has to match the pattern; where the answer broke off before, the outcome is unknown. */
  #result(answer: OutgoingAnswer): SendResult {
    const { body, isTruncated, status } = answer;
    const { successBody, successStatus } = this.#gateway;
    const said = words(body, this.#secrets);
    if (status < successStatus.from || status > successStatus.to) return refusal(answer, said);
    if (successBody === undefined || successBody.matches(body.slice(0, MAX_ANSWER_TEXT)))
      return { kind: 'accepted', response: `it answered ${status}${said === '' ? '' : `: ${said}`}` };
    if (isTruncated) return { kind: 'unknown', reason: `it answered ${status}, and broke off` };
    return { kind: 'temporary', reason: `it answered ${status}, but not that it took the message: ${said}` };
  }
}

const NO_SECRETS: ReadonlySet<string> = new Set(['content-type', 'accept', 'user-agent']);

/** Texts that may be a password or a key: values of headers and of the query, and long words of the path and the body. */
function secretsOf(gateway: GatewayTemplates): readonly string[] {
  const { body = '', headers, url } = gateway;
  const { pathname, searchParams } = new URL(url.replaceAll(/\{\{[^}]*\}\}/g, ''));
  const headerValues = Object.entries(headers).flatMap(([name, value]) => (NO_SECRETS.has(name) ? [] : value));
  const query = [...searchParams.values()];
  const secrets = requestSecrets({ headerValues, query, text: `${pathname} ${body}` });
  return [...secrets, ...namedSecrets(body, contentType(gateway))];
}

/** The log recognises secret settings and headers by the same words. */
const SECRET_NAME = /auth|cookie|key|password|secret|token/i;

/** Values of a form or of JSON with the name of a secret, of any length, both decoded and as they are in the body. */
function namedSecrets(body: string, type: string): readonly string[] {
  const written = /[/+]json\b/i.test(type) ? jsonTexts(body) : formTexts(body);
  return written
    .filter(([name, value]) => SECRET_NAME.test(name) && !value.includes('{{'))
    .flatMap(([, value, meant]) => [value, meant()]);
}

type Written = readonly [name: string, value: string, meant: () => string];

/** A template need not be JSON: `{"number": {{digits}}}`. */
const jsonTexts = (body: string): readonly Written[] =>
  [...body.matchAll(/"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
    () => String(JSON.parse(`"${value}"`)),
  ]);

const formTexts = (body: string): readonly Written[] =>
  [...body.matchAll(/([^&=]*)=([^&]*)/g)].map(([, name = '', value = '']) => [
    name,
    value,
    () => new URLSearchParams(`value=${value}`).get('value') ?? '',
  ]);
