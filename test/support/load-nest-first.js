// A CommonJS dependency that requires @nestjs/common before ESM has loaded it fails in a cycle under Jest.
import 'reflect-metadata';
await import('@nestjs/common');
await import('@nestjs/core');
