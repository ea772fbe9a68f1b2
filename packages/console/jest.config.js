import settings from '../../jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...settings,
  projects: settings.projects.map((project) => ({ ...project, roots: ['<rootDir>/src', '<rootDir>/build'] })),
};
