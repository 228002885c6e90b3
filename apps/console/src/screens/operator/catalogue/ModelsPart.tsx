import type { PartProps } from '../operator-access.ts';
import { ConnectModel } from './ConnectModel.tsx';
import { EditModel } from './EditModel.tsx';
import { ModelList } from './ModelList.tsx';

/** The models: their list, the form of one of them, or the steps that connect another one. */
export function ModelsPart({ state, onChange }: PartProps) {
  const close = () => onChange({ model: '', connect: false });
  if (state.connect) return <ConnectModel onClose={close} />;
  if (state.model !== '') return <EditModel key={state.model} id={state.model} onClose={close} />;
  return <ModelList state={state} onChange={onChange} />;
}
