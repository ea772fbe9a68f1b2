import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { PRINCIPAL_HEADER, PrincipalVerifier } from '@tocsin/http';
import { allOf, clock, json, SIGNING_KEY } from '../testing/stage.ts';
import { Transfers } from '../testing/transfers.ts';

const PIECE = Buffer.alloc(100_000);
const PIECES = 600;

let transfers: Transfers;

beforeEach(async () => {
  transfers = await Transfers.start();
});

afterEach(async () => {
  await transfers.stop();
});

describe('a link to a file', () => {
  it('needs no key, and is forwarded with the principal of the gateway (K6)', async () => {
    const { stage } = transfers;
    stage.answerWith = json(200, {});
    await supertest(stage.gateway()).get('/v2/attachments/token').expect(200);
    await supertest(stage.gateway()).get('/v2/attachments/token').set('Authorization', 'GenieKey 42').expect(200);
    const word = stage.seen[0]?.headers[PRINCIPAL_HEADER] as string;
    expect(await new PrincipalVerifier([SIGNING_KEY], 'alert-processor').verify(word, clock.now())).toEqual({
      service: 'gateway',
    });
  });

  it('is read from the service no faster than the caller reads it', async () => {
    let given = 0;
    transfers.behave = (_, response) => {
      function* pieces(): Generator<Buffer, void> {
        for (given = 0; given < PIECES; given += 1) yield PIECE;
      }
      response.writeHead(200, { 'Content-Length': String(PIECES * PIECE.length) });
      Readable.from(pieces()).pipe(response);
    };
    const response = await transfers.download();
    // The service is held up for good once every buffer on the way is full.
    for (let before = -1; before !== given;) {
      before = given;
      await pause(300);
    }
    expect(given).toBeLessThan(PIECES / 2);
    let length = 0;
    response.on('data', (chunk: Buffer) => (length += chunk.length));
    await once(response.resume(), 'end');
    expect(length).toBe(PIECES * PIECE.length);
  });

  it.each([
    ['nothing', 0],
    ['a little now and again', 1],
  ])(
    'is cut off for a caller that reads %s: the request to the service ends, and the next one is served',
    async (_, bytes) => {
      await transfers.limit({ transfers: allOf(1) });
      const left = new Promise<void>((resolve) => {
        transfers.behave = (_asked, response) => {
          response.writeHead(200, { 'Content-Length': String(PIECES * PIECE.length) }).once('close', resolve);
          Readable.from(Array.from({ length: PIECES }, () => PIECE)).pipe(response);
        };
      });
      const port = await transfers.gateway({ transferTimeout: { timeoutMs: 3_000, leastBytesPerSecond: 100_000_000 } });
      const response = await transfers.download({ port });
      const trickle = setInterval(() => {
        if (bytes > 0) response.read(bytes);
      }, 20);
      await left;
      clearInterval(trickle);
      expect(transfers.stage.log).toEqual([]);
      transfers.behave = json(200, {});
      expect((await transfers.download({ port })).statusCode).toBe(200);
    },
  );
});
