import { InMemoryPictures } from './in-memory-pictures.ts';
import { picturesContract } from './pictures-contract.ts';

picturesContract('InMemoryPictures', () => new InMemoryPictures());
