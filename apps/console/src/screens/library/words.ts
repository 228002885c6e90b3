export const words = { check: 'Check a file' };
