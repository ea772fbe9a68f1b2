import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { matchOperation, type Operation } from '@tocsin/api';
import { openApiDocument, type OpenApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';
import { isPage, mediaTypeOf, type Answer } from './answer.ts';

/** Where the description stands within ajv, which resolves references from there. */
const ROOT = 'description';

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The answers in the API description. It is made when the first answer is checked. */
class AnswerCheck {
  readonly #document: OpenApiDocument = openApiDocument(VERSION);
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor() {
    formats.default(this.#ajv);
    this.#ajv.addFormat('iana-time-zone', true);
    this.#ajv.addSchema(this.#document, ROOT);
  }

  /** The differences from the description, if any. */
  fault({ method, path, id }: Operation, answer: Answer): string | undefined {
    const { headers, status } = answer;
    const operation = this.#document.paths?.[path]?.[method.toLowerCase() as 'get'];
    if (operation === undefined) return `${id} is not described`;
    const described = (operation.responses as Readonly<Record<string, DescribedResponse>> | undefined)?.[status];
    if (described === undefined) return `the status ${status} is not described`;
    const place = described.$ref ?? pointer('paths', path, method.toLowerCase(), 'responses', String(status));
    const response = this.#resolved(described);
    const mediaType = mediaTypeOf(headers);
    if (response.content?.[mediaType] === undefined) return `the content type ${mediaType} is not described`;
    return (
      this.#obstacle(`${place}${pointer('content', mediaType, 'schema').slice(1)}`, saidBy(answer), 'the body') ??
      this.#headerFault(place, response, headers)
    );
  }

  #headerFault(place: string, { headers: described = {} }: DescribedResponse, headers: Headers): string | undefined {
    for (const [name, { required }] of Object.entries(described)) {
      const value = headers.get(name);
      if (value === null && required !== true) continue;
      if (value === null) return `there is no header ${name}`;
      const fault = this.#obstacle(
        `${place}${pointer('headers', name, 'schema').slice(1)}`,
        value,
        `the header ${name}`,
      );
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #obstacle(place: string, value: unknown, called: string): string | undefined {
    const validate = this.#validators.get(place) ?? this.#ajv.compile({ $ref: `${ROOT}${place}` });
    this.#validators.set(place, validate);
    if (validate(value)) return undefined;
    return this.#ajv.errorsText(validate.errors, { dataVar: called, separator: '; ' });
  }

  #resolved(response: DescribedResponse): DescribedResponse {
    if (response.$ref === undefined) return response;
    const name = response.$ref.slice(response.$ref.lastIndexOf('/') + 1);
    return (this.#document.components?.responses?.[name] ?? {}) as DescribedResponse;
  }
}

const saidBy = ({ body, headers }: Answer): unknown => (isPage(headers) ? body['page'] : body);

const pointer = (...segments: readonly string[]): string =>
  `#/${segments.map((segment) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

let check: AnswerCheck | undefined;

/**
 * Checks an answer against the API description: its status, content type, headers and body. What asks for no documented
 * operation is not checked.
 *
 * @throws Error when the answer is not as described.
 */
export function checkAnswer(method: string, target: string, answer: Answer): void {
  const match = matchOperation(method, target.split('?')[0] ?? '');
  if (match.outcome !== 'matched') return;
  check ??= new AnswerCheck();
  const fault = check.fault(match.operation, answer);
  if (fault === undefined) return;
  const { id } = match.operation;
  throw new Error(
    `${method} ${target} answered otherwise than ${id} is described: ${fault}. It answered ${answer.status} ${JSON.stringify(answer.body)}`,
  );
}
