#ifndef TOOLS_GASNET_INFO_H
#define TOOLS_GASNET_INFO_H
/* The table of environment variables, for people; returns the number of malformed values in the environment. */
int info_env_table(void);
/* The same as the section ENVIRONMENT of a manual page. */
void info_env_manual(void);
/* The constants of each conduit for non-contiguous transfers, and what follows from them. */
void info_vis_cost(void);
#endif
