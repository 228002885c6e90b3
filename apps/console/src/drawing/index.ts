export { DrawingArea } from './DrawingArea.tsx';
export { DrawingTools } from './DrawingTools.tsx';
