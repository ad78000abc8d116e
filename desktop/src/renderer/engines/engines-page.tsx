import { useRoute } from 'wouter';
import { EngineDetail } from './engine-detail.tsx';
import { EngineWall } from './engine-wall.tsx';

/** The wall of all engines, or one of them. */
export default function EnginesPage() {
  const [, parameters] = useRoute('/engines/:id');
  return parameters?.id ? <EngineDetail key={parameters.id} id={parameters.id} /> : <EngineWall />;
}
