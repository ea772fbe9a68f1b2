import { TestEnvironment } from 'jest-environment-node';

/**
 * Node, and what a test file left in `endsWithFile` is ended after its last hook: servers that a file shares outlive every
 * `afterAll` of it, whichever was declared first.
 */
export default class ServersEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.endsWithFile = [];
  }

  async teardown() {
    await Promise.all((this.global.endsWithFile ?? []).map((end) => end()));
    await super.teardown();
  }
}
