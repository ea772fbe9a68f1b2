import { AlertCommand } from '@tocsin/events';
import type { TestService } from './app-fixture.ts';

/** The one command that was published, as a consumer reads it. */
export function published({ publisher }: Pick<TestService, 'publisher'>): {
  readonly key: string | undefined;
  readonly command: AlertCommand;
} {
  const [one, ...others] = publisher.published;
  if (one === undefined || others.length > 0) throw new Error(`${publisher.published.length} commands were published`);
  return { key: one.key, command: AlertCommand.parse(one.message) };
}
