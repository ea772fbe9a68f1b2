import { ServiceFindings } from '@tocsin/api';
import { UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import type { Finding } from './finding.ts';

/** The findings of other services, and the names of those of which findings are missing. */
export interface OtherFindings {
  readonly findings: readonly Finding[];
  readonly incompleteServices: readonly string[];
}

/** Asks a service for its findings (S17). One that gives no usable answer does not fail the report: the result names it. */
export const findingsOf =
  (service: string, client: Pick<InternalClient, 'get'>): (() => Promise<OtherFindings>) =>
  async () => {
    const missing: OtherFindings = { findings: [], incompleteServices: [service] };
    try {
      const { body, status } = await client.get('/internal/readiness');
      const answer = ServiceFindings.safeParse(body);
      if (status !== 200 || !answer.success) return missing;
      const { data, isComplete } = answer.data;
      return { findings: data, incompleteServices: isComplete ? [] : [service] };
    } catch (error) {
      if (error instanceof UnavailableError) return missing;
      throw error;
    }
  };

/** The findings of all that `ask` asks, at the same time. */
export async function askAll(ask: readonly (() => Promise<OtherFindings>)[]): Promise<OtherFindings> {
  const answers = await Promise.all(ask.map((each) => each()));
  return {
    findings: answers.flatMap(({ findings }) => findings),
    incompleteServices: answers.flatMap(({ incompleteServices }) => incompleteServices),
  };
}
