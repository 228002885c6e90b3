export { PrivateFiles } from './PrivateFiles.tsx';
