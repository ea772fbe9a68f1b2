import { compilePattern } from '@tocsin/events';
import { urlProblem, type OutgoingRequest } from '@tocsin/http';
import { PatternBudget } from '@tocsin/rules';
import { z } from 'zod';
import { CONNECTION_HEADERS } from '../http/outgoing.ts';
import { filledTemplate, inBody, inUrl, namesIn, unknownNames, type GatewayValues } from './template.ts';

/** How much of an answer its pattern sees, in UTF-16 units. */
export const MAX_ANSWER_TEXT = 4_096;

const DEFAULT_TYPE = 'application/json';
/** Headers whose value follows from the request itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, 'trailer']);
/** Values with the characters that do most harm where a template does not escape them. */
const SAMPLE: GatewayValues = {
  to: '+15551234567',
  digits: '15551234567',
  text: 'a "quoted" \\ text',
  deliveryId: 'a:b',
  callbackUrl: 'https://tocsin.example.com/callbacks/http?token=a.b',
};

const headers = z
  .string()
  .transform((written, context): Readonly<Record<string, string>> => {
    const result = z.record(z.string(), z.string()).safeParse(jsonOf(written));
    if (result.success) return lowerCased(result.data);
    context.addIssue('should be a JSON object of texts, such as {"authorization": "Bearer …"}');
    return z.NEVER;
  })
  .superRefine((named, context) => {
    for (const [name, value] of Object.entries(named)) {
      const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !OWN_HEADERS.has(name);
      if (!isName) context.addIssue(`may not set the header ${JSON.stringify(name)}`);
      if (!/^[\x20-\x7e]*$/.test(value)) context.addIssue(`should give ${name} printable ASCII on one line`);
      addUnknown(value, context);
    }
  });

const template = z.string().superRefine((written, context) => {
  addUnknown(written, context);
});

const url = template.superRefine((written, context) => {
  const problem = urlProblem(filledTemplate(written, SAMPLE, inUrl));
  if (problem !== undefined) context.addIssue(`should be a URL: ${problem}`);
  const [beforePath = ''] = /^[^:/?#]*:\/\/[^/?#]*/.exec(written) ?? [];
  if (beforePath.includes('{{')) context.addIssue('may name values behind the host alone');
  const [beforeQuery = ''] = written.split('?');
  if (namesIn(beforeQuery).includes('text')) context.addIssue('may name the text in its query alone');
});

const status = z
  .string()
  .regex(/^[1-5]\d\d(-[1-5]\d\d)?$/, 'should be a status or a range of them, such as 200-299')
  .transform((written) => {
    const [from = 0, to = from] = written.split('-').map(Number);
    return { from, to };
  });

const pattern = z.string().transform((written, context) => {
  const compiled = compilePattern(written);
  const isCheap =
    compiled !== undefined && new PatternBudget().take(compiled.compileSteps + compiled.matchSteps(MAX_ANSWER_TEXT));
  if (isCheap) return compiled;
  context.addIssue(
    compiled === undefined ? 'should be a valid regular expression' : 'takes too long: use a plainer one',
  );
  return z.NEVER;
});

/**
 * The requests to a gateway with an API of its own. URL, headers and body may name `{{to}}`, `{{digits}}`,
 * `{{text}}`, `{{deliveryId}}` and `{{callbackUrl}}`, and the answer must match. Refuses settings that could never work, so that a process does not start
 * with them.
 */
export const GatewayTemplates = z
  .object({
    url,
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH'] satisfies OutgoingRequest['method'][]).default('POST'),
    headers: headers.default({}),
    /** In the form that the header `content-type` says; JSON without it. */
    body: template.optional(),
    successStatus: status.default({ from: 200, to: 299 }),
    /** Has to match the whole answer, or the first 4096 characters of a longer one. */
    successBody: pattern.optional(),
    /** The field of a receipt that has the status of a message. */
    receiptField: z.string().min(1).max(100).default('status'),
    /** Its words for a message that arrived, and for one that will not. Every other word means that the message is under way. */
    receiptDelivered: pattern.prefault('(?i)delivered|delivrd|read|completed|answered'),
    receiptFailed: pattern.prefault(
      '(?i)failed|undelivered|undeliv|rejected|rejectd|expired|deleted|canceled|busy|no-answer',
    ),
  })
  .superRefine((gateway, context) => {
    const { body, headers: named, method } = gateway;
    if (body === undefined) return;
    const issue = (message: string): void => {
      context.addIssue({ code: 'custom', path: ['body'], message });
    };
    if (method === 'GET') issue('cannot go with GET');
    const type = contentType(gateway);
    const isJson = /[/+]json\b/i.test(type);
    if (isJson && jsonOf(filledTemplate(body, SAMPLE, inBody(type))) === undefined)
      issue(
        'should be JSON whose values stand between quotation marks, or the header content-type should say what it is',
      );
    if (named['content-type']?.includes('{{') === true) issue('cannot have a content-type with values');
  });
export type GatewayTemplates = z.output<typeof GatewayTemplates>;

/** Whether a gateway is given the URL for receipts. */
export const namesCallback = ({ body = '', headers: named, url: written }: GatewayTemplates): boolean =>
  [written, body, ...Object.values(named)].some((each) => namesIn(each).includes('callbackUrl'));

export const contentType = (gateway: { readonly headers: Readonly<Record<string, string>> }): string =>
  gateway.headers['content-type'] ?? DEFAULT_TYPE;

function addUnknown(written: string, context: z.RefinementCtx): void {
  for (const name of unknownNames(written))
    context.addIssue(
      `names {{${name}}}, which is none of {{to}}, {{digits}}, {{text}}, {{deliveryId}} and {{callbackUrl}}`,
    );
}

const lowerCased = (named: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]));

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
