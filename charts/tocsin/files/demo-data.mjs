// Makes what of the demo is missing; done again, it changes nothing.
import { call } from './api.mjs';
import { demoPlan } from './demo-plan.mjs';

for (const { label, lookUp, create } of demoPlan(new Date(), process.env.TIME_ZONE)) {
  const found = await call('GET', lookUp);
  if (found.status === 200) {
    console.log(`There already: ${label}`);
    continue;
  }
  if (found.status !== 404) throw new Error(`The ${label} cannot be looked up: ${found.status} ${found.text}`);
  const created = await call('POST', create.path, create.body);
  if (created.status !== 201 && created.status !== 409)
    throw new Error(`The ${label} cannot be created: ${created.status} ${created.text}`);
  console.log(`Created: ${label}`);
}
