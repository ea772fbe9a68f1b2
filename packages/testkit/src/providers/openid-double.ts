import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const OPENID_CLIENT = { clientId: 'tocsin', clientSecret: 'a secret of the client' };

type Claims = Readonly<Record<string, unknown>>;

/** The result of the provider for a code. */
interface Grant {
  readonly challenge: string;
  readonly redirectUrl: string;
  readonly claims: Claims;
  readonly key: KeyObject;
}

/**
 * An OpenID provider that can be set to give wrong answers. Each code works once, and only with the verifier and the secret of its
 * client.
 */
export class OpenIdDouble {
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  #codes = 0;
  issuer = '';
  /** The answer of the user info endpoint, where there is one. */
  userInfo: Claims | undefined;
  /** Replaces every answer. */
  instead: ((response: ServerResponse) => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      if (this.instead !== undefined) this.instead(response);
      else this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The parameters that the page receives after a person has signed in at `url`; `claims` change those of the ID token. */
  authorized(url: string, claims: Claims = {}, key: KeyObject = this.#key.privateKey): { code: string; state: string } {
    const { searchParams: asked } = new URL(url);
    const code = `code-${(this.#codes += 1)}`;
    const seconds = Math.floor(Date.now() / 1_000);
    this.#grants.set(code, {
      challenge: asked.get('code_challenge') ?? '',
      redirectUrl: asked.get('redirect_uri') ?? '',
      key,
      claims: {
        iss: this.issuer,
        sub: 'ada',
        aud: asked.get('client_id'),
        nonce: asked.get('nonce'),
        iat: seconds,
        exp: seconds + 300,
        email: 'Ada@example.com',
        email_verified: true,
        ...claims,
      },
    });
    return { code, state: asked.get('state') ?? '' };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await this.#bodyOf(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #bodyOf(request: IncomingMessage): Promise<readonly [number, Claims]> {
    switch (request.url ?? '') {
      case '/.well-known/openid-configuration':
        return [200, this.#metadata()];
      case '/keys':
        return [200, { keys: [{ ...this.#key.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] }];
      case '/token':
        return this.#token(request.headers.authorization, new URLSearchParams(await text(request)));
      case '/userinfo':
        return [200, this.userInfo ?? {}];
      default:
        return [404, {}];
    }
  }

  #metadata(): Claims {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(this.userInfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
    };
  }

  #token(authorization: string | undefined, form: URLSearchParams): readonly [number, Claims] {
    const secret = [OPENID_CLIENT.clientId, OPENID_CLIENT.clientSecret].map((part) =>
      new URLSearchParams({ part }).toString().slice(5),
    );
    if (authorization !== `Basic ${Buffer.from(secret.join(':')).toString('base64')}`)
      return [401, { error: 'invalid_client' }];
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge || grant.redirectUrl !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'access', token_type: 'Bearer', id_token: signed(grant) }];
  }
}

function signed({ claims, key }: Grant): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256' })}.${part(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}
