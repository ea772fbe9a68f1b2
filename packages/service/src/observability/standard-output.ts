import { pino, type DestinationStream } from 'pino';

/** Characters that wait for room on the disk. */
const MAX_WAITING = 1_000_000;

/**
 * Standard output. It never fails: what a full disk does not take goes out with the first line that it takes.
 * Further lines than there is room for are lost, and so are those that wait when the process ends.
 */
export function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, minLength: 0, maxLength: MAX_WAITING });
  let refused = false;
  output.on('error', () => {
    refused = true;
  });
  output.on('write', () => {
    refused = false;
  });
  const flush = output.flushSync.bind(output);
  // It repeats a write that is refused for ever, and so would keep the process from its end.
  output.flushSync = () => {
    if (!refused) flush();
  };
  return output;
}
