#!/usr/bin/env node
import { program } from 'commander';

program.name('tocsin').description('Alerts, who is on call, schedules, heartbeats and keys of a Tocsin installation.');
await program.parseAsync();
