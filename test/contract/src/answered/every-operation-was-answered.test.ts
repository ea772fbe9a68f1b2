import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type Operation } from '@tocsin/api';
import { openApiDocument } from '@tocsin/api/openapi';
import { VERSION } from '@tocsin/service';
import { DOCUMENTED, operationOf } from '../documented-operations.ts';
import { operationsIn, recordedAnswers } from './answers.ts';

/** Tests that send anything to every operation show nothing by a success. */
const HOSTILE = /[/.]hostile-[^/]*$/;

const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300;

const serviceTests = new Map(
  [...new Set(OPERATIONS.map(({ owner }) => owner))].map((owner) => [
    owner,
    ['unit', 'integration'].flatMap((kind) => recordedAnswers(`services/${owner}`, kind)),
  ]),
);
const ownTests = (owner: Operation['owner'], hostile: boolean) =>
  (serviceTests.get(owner) ?? []).filter(({ test }) => HOSTILE.test(test) === hostile);

const inComponents = new Map(
  [...serviceTests.keys()].map((owner) => [
    owner,
    // A service answers only callers with a principal of the gateway; the gateway answers all.
    operationsIn(ownTests(owner, false), (answer) => isSuccess(answer) && answer.vouched === (owner !== 'gateway')),
  ]),
);
const inSystem = operationsIn(
  recordedAnswers('test/acceptance', 'acceptance'),
  (answer) => isSuccess(answer) && !answer.vouched,
);

/** Where the operation was answered with a success. */
const shownBy = ({ id, owner }: Pick<Operation, 'id' | 'owner'>) => ({
  component: inComponents.get(owner)?.has(id),
  system: inSystem.has(id),
});
const EVERYWHERE = { component: true, system: true };

describe('of the documented operations', () => {
  it.each(DOCUMENTED.map((documented) => [documented.method, documented.path, documented] as const))(
    '%s %s succeeded in a test of the service that owns it, and through the gateway of a started system',
    (_, path, documented) => {
      const operation = operationOf(documented);
      expect([path, operation && shownBy(operation)]).toEqual([path, EVERYWHERE]);
    },
  );
});

describe('of the operations that clients need beside them', () => {
  const documented = new Set(DOCUMENTED.map((each) => operationOf(each)?.id));
  const others = OPERATIONS.filter(({ id }) => !documented.has(id));

  it.each(others.map((operation) => [operation.id, operation] as const))(
    '%s succeeded in a test of the service that owns it, and through the gateway of a started system',
    (_, operation) => {
      expect(shownBy(operation)).toEqual(EVERYWHERE);
    },
  );
});

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}
const isJson = ({ requestBody }: Described): boolean => requestBody?.content['application/json'] !== undefined;

describe('of the operations that take a body in JSON', () => {
  const { paths = {} } = openApiDocument(VERSION);
  // A form has tests of its own.
  const takesBody = ({ method, path }: Operation): boolean =>
    Object.entries(paths[path] ?? {}).some(
      ([verb, described]) => verb === method.toLowerCase() && isJson(described as Described),
    );

  it.each(OPERATIONS.filter(takesBody).map((operation) => [operation.id, operation.owner] as const))(
    '%s was sent unexpected bodies',
    (id, owner) => {
      expect([...operationsIn(ownTests(owner, true), () => true)]).toContain(id);
    },
  );
});
