import { TestEnvironment } from 'jest-environment-node';
import { RecordedAnswers } from './recorded-answers.mjs';

/** The Node environment, which also records the answers of its HTTP servers. */
export default class Environment extends TestEnvironment {
  #answers;

  constructor(config, context) {
    super(config, context);
    this.#answers = new RecordedAnswers(config.projectConfig, context.testPath);
  }

  async setup() {
    await super.setup();
    this.#answers.begin();
  }

  async teardown() {
    this.#answers.end();
    await super.teardown();
  }
}
