import { describe, expect, it } from '@jest/globals';
import { explained } from '../trouble.ts';
import { withClient } from './databases.ts';

describe('an address of MongoDB that cannot be read', () => {
  it.each(['mongodb://ada:secret/tocsin', 'http://ada:secret@db', 'mongodb://ada:secret@db/?tls=secret'])(
    'is refused without the password: %s',
    async (uri) => {
      const failure: unknown = await withClient({ uri, databasePrefix: 'tocsin_' }, () => Promise.resolve()).catch(
        (error: unknown) => error,
      );
      expect(explained(failure)).toMatch(/^MONGODB_URI: \S+/);
      expect(explained(failure)).not.toContain('ada:secret');
    },
  );
});
