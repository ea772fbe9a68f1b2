import type { SearchableText } from './collect.ts';

/** The fields of an alert that a query can test. */
export interface SearchableAlert extends SearchableText {
  readonly id: string;
  readonly tinyId: number;
  readonly status: string;
  readonly acknowledged: boolean;
  readonly seen: boolean;
  readonly snoozed: boolean;
  readonly snoozedUntil?: Date | undefined;
  readonly count: number;
  readonly priority: string;
  readonly owner: string;
  readonly actions: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly responders: readonly { readonly type: string; readonly id: string }[];
  readonly integration: { readonly name: string; readonly type: string };
  readonly report: { readonly acknowledgedBy?: string; readonly closedBy?: string } | undefined;
  readonly createdAt: Date;
  readonly lastOccurredAt: Date;
}
