import { listTool, readTool } from '../tool-kinds.ts';

export const analyticsTools = [
  readTool({
    name: 'get_link_analytics',
    description: 'Reads the totals of a link: views, time and the like.',
    operation: 'analytics.link',
    id: 'Link id',
  }),
  listTool({
    name: 'list_link_visitors',
    description: 'Lists who visited a link.',
    operation: 'analytics.visitors',
    id: 'Link id',
    resource: 'visitor',
  }),
  readTool({
    name: 'get_visit',
    description: 'Reads one visit: pages, times.',
    operation: 'analytics.visit',
    id: 'Visit id, from a visitor',
  }),
  readTool({
    name: 'get_room_analytics',
    description: 'Reads the metrics of a room.',
    operation: 'analytics.room',
    id: 'Room id',
  }),
];
