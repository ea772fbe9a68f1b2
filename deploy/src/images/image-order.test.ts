import { describe, expect, test } from '@jest/globals';
import { VERSION } from '@tocsin/service';
import { SERVICES } from '../service-plan.ts';
import { imageOrder, type ImageOrder } from './image-order.ts';

const orderOf = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): ImageOrder => {
  const result = imageOrder(args, environment);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.order;
};

const problemsOf = (...args: readonly string[]): readonly string[] => {
  const result = imageOrder(args, {});
  return 'problems' in result ? result.problems : [];
};

describe('imageOrder', () => {
  test('asks for the images of all services, on the public Node image by default', () => {
    expect(orderOf([])).toEqual({
      tags: ['dev', VERSION],
      services: SERVICES,
      nodeImage: 'node:24-bookworm-slim',
      localBases: false,
      localPrefix: 'local',
      caFile: undefined,
      previousGateway: undefined,
      source: undefined,
    });
  });

  test('takes the gateway of the release before', () => {
    expect(orderOf(['--previous-gateway', 'tocsin-gateway:0.0.9'])).toMatchObject({
      previousGateway: 'tocsin-gateway:0.0.9',
    });
  });

  test('asks for the services that are named, each once', () => {
    expect(orderOf(['--service', 'gateway', '--service=directory', '--service=gateway']).services).toEqual([
      'directory',
      'gateway',
    ]);
  });

  test('puts the images on the Node image made here where bases are made here, unless another is named', () => {
    expect(orderOf(['--local-bases']).nodeImage).toBe('local/node:24-bookworm-slim');
    expect(orderOf(['--local-bases'], { NODE_IMAGE: 'mine/node:24' }).nodeImage).toBe('mine/node:24');
  });

  test('gives the bases made here the configured names', () => {
    expect(orderOf(['--local-bases'], { LOCAL_IMAGE_PREFIX: 'mine' }).nodeImage).toBe('mine/node:24-bookworm-slim');
  });

  test('trusts the certificates of BUILD_CA_FILE, else those that Node here trusts', () => {
    const environment = { NODE_EXTRA_CA_CERTS: '/node.crt' };
    expect(orderOf([], environment).caFile).toBe('/node.crt');
    expect(orderOf([], { ...environment, BUILD_CA_FILE: '/build.crt' }).caFile).toBe('/build.crt');
    expect(orderOf([], { BUILD_CA_FILE: '' }).caFile).toBeUndefined();
  });

  test('refuses a service that there is not, a tag that is none and an unknown option, and says all', () => {
    expect(problemsOf('--service=pager', '--tag=a b')).toEqual([
      expect.stringContaining('There is no service pager; there are directory'),
      expect.stringContaining('not "a b"'),
    ]);
    expect(problemsOf('--push')).toEqual([expect.stringContaining("Unknown option '--push'")]);
  });
});
