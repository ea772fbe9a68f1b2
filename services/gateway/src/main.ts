import { runService } from '@tocsin/service-kit';
import { compose } from './compose.ts';
import { Config } from './config.ts';

await runService({ name: 'gateway', config: Config, indexes: [], compose });
