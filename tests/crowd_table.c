#include "support/crowd_scenes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc,char**argv){
 for(int k=0;k<CROWD_KINDS;++k){ if(argc>1&&strcmp(argv[1],crowd_name((CrowdKind)k)))continue; CrowdSetting s=crowd_setting((CrowdKind)k);
  for(int i=2;i<argc;++i){double v=atof(strchr(argv[i],'=')+1); char c=argv[i][0]; if(c=='h')s.rate=(int)v; if(c=='n')s.count=(int)v; if(c=='a')s.amount=v; if(c=='s')s.seconds=v; if(c=='S')s.seed=(uint64_t)v; if(c=='x')s.shuffled=v>0; if(c=='c')s.shape=(sidle_shape){.radii={.4f,.4f,.4f},.half_height=.5f}; if(c=='r')s.shape.radii.x=s.shape.radii.z=(float)v;}
  CrowdFigures f=crowd_measure(&s);
  printf("%-9s overlap %.4f%% end %.4f%% v %.4f vib %.4f mm/s fastest %.2f apart %.2f arr %.2f flow %.2f share %.2f hero %.2f out %d stuck %d air %d %016llx\n",crowd_name(s.kind),f.overlap,f.overlap_end,f.speed,f.vibration,f.fastest,f.apart,f.arrival,f.flow,f.share,f.hero_x,f.out,f.stuck,f.airborne,(unsigned long long)f.hash); fflush(stdout);} }
