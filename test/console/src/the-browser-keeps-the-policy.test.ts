import { describe, expect, it } from '@jest/globals';
import { useConsole } from './rig/console.ts';

const rig = useConsole();

describe('the console', () => {
  it('is where the bare address leads', async () => {
    const page = await rig.open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//);
  });

  it('runs no script, loads no image and calls no address that its policy refuses', async () => {
    rig.causes(/other\.invalid/, /Content Security Policy/, /^policy: script-src-elem /);
    const page = await rig.open('/console/');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
      const image = document.createElement('img');
      image.src = 'http://other.invalid/picture.png';
      document.body.append(image);
    });
    await page.evaluate(() => fetch('http://other.invalid/').catch(() => undefined));
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    for (const directive of ['script-src-elem', 'img-src', 'connect-src']) await rig.troubled(`policy: ${directive}`);
    await rig.troubled('other origin: http://other.invalid/picture.png');
  });

  it('is shown in no frame', async () => {
    const page = await rig.open('/healthz');
    const isEmpty = await page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = () => {
            resolve((frame.contentDocument?.querySelector('script') ?? null) === null);
          };
          frame.src = '/console/';
          document.body.append(frame);
        }),
    );
    expect(isEmpty).toBe(true);
    await rig.troubled("logged: Framing 'http://127.0.0.1");
  });
});

describe('the checks of these tests', () => {
  it('find an element without a name', async () => {
    const page = await rig.open('/console/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      document.body.append(document.createElement('button'));
    });
    await expect(rig.expectNoViolations(page)).rejects.toThrow('button-name');
  });

  it('note an error, an exception and a file that is missing', async () => {
    const page = await rig.open('/console/');
    await page.evaluate(async () => {
      window.console.error('an error of the page');
      queueMicrotask(() => {
        throw new Error('an exception of the page');
      });
      await fetch('/console/assets/none.js');
    });
    await rig.troubled('logged: an error of the page');
    await rig.troubled('thrown: an exception of the page');
    await expect(rig.troubled('answered 404: /console/assets/none.js')).resolves.toBeUndefined();
  });
});
