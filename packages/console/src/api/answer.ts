import type { AnswerOf, OperationId } from '@tocsin/api';

/** What the page receives of an answer: lists are arrays. */
type Received<T> = T extends string
  ? T
  : T extends Iterable<infer Item>
    ? readonly Received<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Received<T[K]> }
      : T;

/** The body that an operation answers with. */
export type Answer<Id extends OperationId> = Received<AnswerOf<Id>>;
