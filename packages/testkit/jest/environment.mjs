import { TestEnvironment } from 'jest-environment-node';
import { RecordedAnswers } from './recorded-answers.mjs';

/** Node, which records what its HTTP servers answer. */
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
